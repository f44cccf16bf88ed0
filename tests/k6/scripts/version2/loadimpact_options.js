// Options of a cloud change nothing here.
export const options = { ext: { loadimpact: { projectID: 1, name: 'x' } }, cloud: { projectID: 2 } };

export default function () {
  console.log('ran');
}
