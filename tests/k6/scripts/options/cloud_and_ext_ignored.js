// Options for other programs are ignored.
export const options = {
  iterations: 1,
  cloud: { projectID: 1, name: 'x' },
  ext: { loadimpact: { name: 'y', distribution: { a: 1 } } },
};

export default function () {
  console.log('ran');
}
