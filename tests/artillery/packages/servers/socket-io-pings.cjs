// The same server, which asks every 1.3 s whether a client is there.
process.env.PING_INTERVAL = '1300';
require('./socket-io.cjs');
