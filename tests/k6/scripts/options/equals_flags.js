// @args --vus=2 --iterations=4 --env=A=2
// Flags with an equals sign.
export default function () {
  console.log(__ENV.A);
}
