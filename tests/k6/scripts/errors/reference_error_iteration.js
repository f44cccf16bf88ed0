// A name that does not exist, in an iteration.
export const options = { iterations: 2 };

export default function () {
  console.log('before');
  notDefined();
  console.log('never');
}
