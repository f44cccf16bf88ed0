// Own error classes.
class Refused extends Error {
  constructor(message, code) {
    super(message);
    this.name = 'Refused';
    this.code = code;
  }
}

export default function () {
  try {
    throw new Refused('not today', 42);
  } catch (error) {
    console.log(error instanceof Refused, error instanceof Error, error.name, error.code, String(error));
  }
  throw new Refused('uncaught', 1);
}
