// A symbol alone is its description.
export function setup() {
  return Symbol('alone');
}

export default function (data) {
  console.log(typeof data, JSON.stringify(data));
}
