import type { NodeFacts } from "../api/wire.operator.ts";
import { num, t } from "../i18n/index.ts";
import { bytes, milliseconds, percent, rate, span } from "./format.ts";

/** The servers that play together, and how each is doing; nothing where there is one alone. */
export function Nodes({ nodes, now }: { nodes: readonly NodeFacts[]; now: number }) {
  if (!nodes.length) return null;
  return (
    <section class="panel">
      <h2>{t("house.nodes", { count: num(nodes.length) })}</h2>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t("house.nodes", { count: num(nodes.length) })}>
        <table class="figures nodes">
          <thead>
            <tr>
              <th scope="col">{t("house.node")}</th>
              <th scope="col">{t("house.load.tables")}</th>
              <th scope="col">{t("house.load.sockets")}</th>
              <th scope="col">{t("house.load.moves")}</th>
              <th scope="col">{t("house.load.delay")}</th>
              <th scope="col">{t("house.load.processor")}</th>
              <th scope="col">{t("house.load.memory")}</th>
              <th scope="col">{t("house.node.runs")}</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <tr key={node.id}>
                <th scope="row">
                  <span class={node.ready ? "health" : "health ill"}>{node.id}</span>
                  {node.here && <em class="badge plain">{t("house.node.here")}</em>}
                  <small class="muted">{`Parlour ${node.version}${node.ready ? "" : ` · ${t("house.node.notReady")}`}`}</small>
                </th>
                <td>{num(node.tables)}</td>
                <td>{num(node.sockets)}</td>
                <td>{rate(node.moves)}</td>
                <td>{milliseconds(node.delay)}</td>
                <td>{percent(node.processor)}</td>
                <td>{bytes(node.memory)}</td>
                <td>{span(now - node.started)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
