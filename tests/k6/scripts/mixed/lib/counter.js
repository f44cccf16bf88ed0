let n = 0;
module.exports = { up: () => ++n, file: typeof __filename, dir: typeof __dirname };
