// A connection for each iteration: what a full handshake costs.
import http from 'k6/http';

export const options = { noVUConnectionReuse: true };

export default function () {
  http.get(__ENV.URL);
}
