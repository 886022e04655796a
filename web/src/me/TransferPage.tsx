import { useEffect, useState } from "preact/hooks";
import { post } from "../api/http.ts";
import type { Identity } from "../api/types.ts";
import { Face } from "../art/Face.tsx";
import { pictureOf } from "../art/faces.ts";
import { go } from "../app/router.ts";
import { attempt, excuse, loadMe, me } from "../app/session.ts";
import { loadWords, t } from "../i18n/index.ts";
import "../styles/me.css";

/** Where a one-time link leads. The code is in the fragment, which no browser sends along. Nothing happens before a yes. */
export function TransferPage() {
  const [code] = useState(location.hash.slice(1));
  const [whose, setWhose] = useState<Identity | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => void look(), []);
  const look = async () => {
    try {
      setWhose(await post<Identity>("/identities/preview", { code }));
    } catch (error) {
      await loadWords("refusals").catch(() => undefined);
      setFault(excuse(error));
    }
  };
  return (
    <div class="page narrow center transfer">
      <h1>{t("transfer.arrive")}</h1>
      {fault ? <p class="fault">{fault}</p> : whose && me.value !== undefined ? <Whose whose={whose} here={me.value} code={code} /> : <p>{t("loading")}</p>}
    </div>
  );
}

/** Tells whose link it is, and who is here already, and asks. */
function Whose({ whose, here, code }: { whose: Identity; here: Identity | null; code: string }) {
  const [busy, setBusy] = useState(false);
  const same = here?.id === whose.id;
  const replaced = here && !same ? here.name : "";
  const redeem = async () => {
    setBusy(true);
    const identity = await attempt(() => post<Identity>("/identities/redeem", { code, replace: Boolean(replaced) }));
    setBusy(false);
    if (!identity) return;
    await attempt(loadMe);
    go("/", true);
  };
  return (
    <>
      <span class="avatar me-face" aria-hidden="true">
        <Face picture={pictureOf(whose)} />
      </span>
      <p>{t(same ? "transfer.same" : "transfer.whose", { name: whose.name })}</p>
      {replaced && <p class="notice">{t("transfer.replaces", { name: replaced })}</p>}
      <div class="row wrap transfer-answers">
        <button type="button" class={same ? "button primary" : "button"} onClick={() => go("/", true)}>
          {t(same ? "transfer.on" : "transfer.stay")}
        </button>
        {!same && (
          <button type="button" class="button primary" disabled={busy} onClick={() => void redeem()}>
            {t("transfer.take", { name: whose.name })}
          </button>
        )}
      </div>
    </>
  );
}
