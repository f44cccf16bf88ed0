// The same server, which asks every 300 ms whether a client is there.
process.env.PING_INTERVAL = '300';
require('./socket-io.cjs');
