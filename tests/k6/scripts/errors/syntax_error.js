// @exit 107
// A syntax error names file, line and column.
import http from 'k6/http';

export default function () {
  const a = ;
}
