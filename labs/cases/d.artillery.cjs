// Case D: a device for each user, and the 2 to 3 s a reader takes.
module.exports = { useDevice, readForAWhile };

function useDevice(request, context, events, done) {
  context.vars.device = context.vars.device || `fid-${Math.floor(Math.random() * 1e9)}`;
  request.headers = { ...request.headers, 'device-fid': context.vars.device };
  done();
}

function readForAWhile(context, events, done) {
  setTimeout(done, 2000 + Math.random() * 1000);
}
