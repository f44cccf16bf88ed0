// @args -e NAME=from-flag -e EMPTY= -e EQUALS=a=b
// @env OTHER=from system
// __ENV: flags and the system's environment.
export default function () {
  console.log(__ENV.NAME, JSON.stringify(__ENV.EMPTY), __ENV.EQUALS, __ENV.OTHER, __ENV.NOT_SET);
  __ENV.NAME = 'written';
  console.log(__ENV.NAME, typeof __ENV);
}
