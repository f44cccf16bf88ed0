// TypeScript importing JavaScript.
import greet from './lib/greet.js';

type Name = string;

export default () => {
  const name: Name = 'typed';
  console.log(greet(name));
};
