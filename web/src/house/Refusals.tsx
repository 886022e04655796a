import type { Refusal } from "../api/wire.operator.ts";
import { num, t, tryT } from "../i18n/index.ts";
import { ago } from "./format.ts";

/** Who was turned away lately, where and why; never with a token, a code or a whole address. */
export function Refusals({ refusals, now }: { refusals: Refusal[]; now: number }) {
  return (
    <section class="panel" aria-labelledby="refusals">
      <div class="panel-head">
        <h2 id="refusals">{t("house.refusals")}</h2>
      </div>
      {refusals.length ? (
        <ul class="desk-list short" tabIndex={0} aria-labelledby="refusals">
          {refusals.map((one) => (
            <li key={`${one.status} ${one.code} ${one.address} ${one.route}`}>
              <div class="desk-item">
                <p class="desk-name">
                  <b>{tryT(`house.refusal.${one.status}`, String(one.status))}</b>
                  <code>{one.code}</code>
                  {one.count > 1 && <em class="badge plain">{t("house.times", { count: num(one.count) })}</em>}
                </p>
                <p class="muted desk-facts">
                  {ago(now - one.last)} · {one.address} · <span class="route">{one.route}</span>
                </p>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p class="empty">{t("house.refusals.none")}</p>
      )}
    </section>
  );
}
