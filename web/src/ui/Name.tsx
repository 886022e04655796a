/** A name where there may be no room for all of it: the number that tells it apart from another stays in sight. */
export function Name({ name }: { name: string }) {
  const [, own, number] = /^(.+)( \(\d+\))$/.exec(name) ?? [];
  if (!number) return <>{name}</>;
  return (
    <span class="told-apart">
      <span class="ellipsis">{own}</span>
      <span>{number}</span>
    </span>
  );
}
