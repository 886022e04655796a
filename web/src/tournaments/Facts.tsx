/** Names and values, side by side. */
export type Fact = readonly [name: string, value: string];

export function Facts({ facts, look }: { facts: readonly Fact[]; look: string }) {
  return (
    <dl class={look}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
