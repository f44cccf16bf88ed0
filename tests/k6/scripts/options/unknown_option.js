// An unknown option warns.
export const options = { vuss: 3, iterations: 1 };

export default function () {
  console.log('ran');
}
