// fail without and with odd messages, caught.
import { fail } from 'k6';

export default function () {
  for (const message of ['text', '', undefined, 7]) {
    try {
      message === undefined ? fail() : fail(message);
    } catch (error) {
      console.log(JSON.stringify(String(error)), error instanceof Error);
    }
  }
}
