// @exit 107
// expectedStatuses of what is no status.
import http from 'k6/http';

http.setResponseCallback(http.expectedStatuses('200'));

export default function () {}
