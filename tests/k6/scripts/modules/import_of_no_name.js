// A name that a module of k6 does not have.
import { createHmac } from 'k6/crypto';
import { Countr } from 'k6/metrics';

const told = (name, work) => {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, `${error}`);
  }
};

export default function () {
  told('type', () => `${typeof createHmac} ${createHmac === null} ${createHmac === undefined}`);
  told('call', () => createHmac('sha256'));
  told('new', () => new Countr('x'));
  told('member', () => createHmac.name);
}
