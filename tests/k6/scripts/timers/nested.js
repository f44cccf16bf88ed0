// Timers inside timers keep the iteration going.
export default function () {
  let depth = 0;
  const go = () => {
    depth++;
    console.log('depth', depth);
    if (depth < 3) setTimeout(go, 10);
  };
  setTimeout(go, 10);
}
