export type Payment = [from: string, to: string, amount: number];

/** Who pays whom: the largest debtor pays the largest creditor until all are even, so at most one payment fewer than people. */
export function settleUp(nets: readonly (readonly [string, number])[]): Payment[] {
  const owing = nets.filter(([, net]) => net < 0).map(([name, net]) => ({ name, left: -net }));
  const due = nets.filter(([, net]) => net > 0).map(([name, net]) => ({ name, left: net }));
  const payments: Payment[] = [];
  const largest = (people: { name: string; left: number }[]) => people.reduce((best, one) => (one.left > best.left ? one : best));
  while (owing.some((one) => one.left > 0) && due.some((one) => one.left > 0)) {
    const [from, to] = [largest(owing), largest(due)];
    const amount = Math.min(from.left, to.left);
    from.left -= amount;
    to.left -= amount;
    payments.push([from.name, to.name, amount]);
  }
  return payments;
}
