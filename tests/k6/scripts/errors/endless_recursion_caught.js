// Recursion that goes a few thousand calls deep is fine.
function depth(n) {
  return n === 0 ? 0 : 1 + depth(n - 1);
}

export default function () {
  console.log(depth(2000));
}
