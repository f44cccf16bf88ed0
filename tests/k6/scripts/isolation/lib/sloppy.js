exports.bump = function (by) {
  undeclared = (typeof undeclared === 'undefined' ? 0 : undeclared) + by;
  return undeclared;
};
