exports.other = () => {};
