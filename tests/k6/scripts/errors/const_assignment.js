// Writing to a constant.
export default function () {
  const fixed = 1;
  try {
    fixed = 2;
  } catch (error) {
    console.log(error.name);
  }
}
