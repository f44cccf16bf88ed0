const paths: string[] = ['/one', '/two'];

export const config = {
  target: process.env.BASE,
  phases: [{ duration: 1, arrivalCount: 2 }],
  variables: { a: 1 },
};

export const scenarios = [
  { flow: paths.map((path: string) => ({ get: { url: `${path}?a={{ a }}` } })) },
];
