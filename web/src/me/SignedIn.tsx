import { useState } from "preact/hooks";
import { call, get } from "../api/http.ts";
import type { Device } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { attempt } from "../app/session.ts";
import { day, t } from "../i18n/index.ts";
import { useLoaded } from "../ui/useLoaded.ts";

/** The devices that play in this person's name. Each can be signed out but the one at hand: nobody locks themselves out. */
export function SignedIn() {
  const loaded = useLoaded(() => get<Device[]>("/me/tokens"), []);
  const [left, setLeft] = useState<Device[] | null>(null);
  const devices = left ?? loaded ?? [];
  const signOut = async (id: string) => {
    const remaining = await attempt(() => call<Device[]>("DELETE", id ? `/me/tokens/${id}` : "/me/tokens"));
    if (!remaining) return;
    setLeft(remaining);
    toast(t("devices.done"));
  };
  return (
    <section class="panel" aria-labelledby="signed-in">
      <h2 id="signed-in">{t("devices.title")}</h2>
      <p class="muted">{t("devices.hint")}</p>
      <ul class="devices">
        {devices.map((one) => (
          <Row key={one.id} one={one} signOut={() => void signOut(one.id)} />
        ))}
      </ul>
      {devices.length > 2 && (
        <button type="button" class="button" onClick={() => void signOut("")}>
          {t("devices.others")}
        </button>
      )}
    </section>
  );
}

function Row({ one, signOut }: { one: Device; signOut: () => void }) {
  const name = one.device || t("devices.unknown");
  return (
    <li>
      <span>
        <strong>{name}</strong> {one.current && <small>({t("devices.this")})</small>}
        <small class="muted">{t("devices.times", { created: day(one.created), used: day(one.used) })}</small>
        {one.ends && <small class="muted">{t("devices.ends", { day: day(one.ends) })}</small>}
      </span>
      {!one.current && (
        <button type="button" class="button" aria-label={t("devices.outOf", { device: name })} onClick={signOut}>
          {t("devices.out")}
        </button>
      )}
    </li>
  );
}
