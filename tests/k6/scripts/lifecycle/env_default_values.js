// Values with a default, as scripts do.
const users = Number(__ENV.USERS || 2);
export const options = { vus: users, iterations: users * 2 };

export default function () {
  console.log(users);
}
