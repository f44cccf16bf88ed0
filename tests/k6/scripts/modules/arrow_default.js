// Default exports of every form.
import { named } from './lib/forms.js';

const run = () => console.log('arrow', named);
export { run as default };
