// clearTimeout and clearInterval.
export default function () {
  const never = setTimeout(() => console.log('never'), 10);
  clearTimeout(never);
  let count = 0;
  const ticker = setInterval(() => {
    count++;
    console.log('tick', count);
    if (count === 3) clearInterval(ticker);
  }, 10);
  clearTimeout(undefined);
  clearTimeout(12345);
}
