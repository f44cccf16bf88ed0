// Calling what is no function.
export default function () {
  const value = { a: 1 };
  try {
    value.a();
  } catch (error) {
    console.log(error.name);
  }
  value.b();
}
