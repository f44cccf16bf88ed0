import { fakerKO as faker } from '@faker-js/faker';

export async function order(context) {
  faker.seed(7);
  context.vars.order = {
    product: faker.commerce.productName(),
    amount: faker.number.int({ min: 1, max: 9 }),
    at: faker.date.past({ refDate: '2024-01-01T00:00:00.000Z' }).toISOString(),
  };
}
