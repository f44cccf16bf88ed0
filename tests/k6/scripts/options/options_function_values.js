// Options computed by the script; functions in them vanish.
const stages = [1, 2].map((n) => ({ duration: '0s', target: n }));
export const options = { stages: stages.concat([{ duration: '1s', target: 2 }]), helper: undefined };

export default function () {
  if (__ITER === 0) console.log('vu started');
  const end = Date.now() + 50;
  while (Date.now() < end);
}
