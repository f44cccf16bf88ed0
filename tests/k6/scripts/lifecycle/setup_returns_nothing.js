// Setup without a return value.
export function setup() {}

export default function (data) {
  console.log(data === undefined, data);
}

export function teardown(data) {
  console.log(data === undefined);
}
