import { call, get, post } from "../api/http.ts";
import type { Device } from "../api/types.ts";
import { toast } from "../app/live.ts";
import { attempt, loadMe, sessionEnds } from "../app/session.ts";
import { day, t } from "../i18n/index.ts";

/** Says when this device will be signed out, and begins its session anew: with a new token, before the old one is given up. */
export function StaySignedIn() {
  const renew = () =>
    attempt(async () => {
      const before = (await get<Device[]>("/me/tokens")).find((one) => one.current);
      await post("/me/session");
      if (before) await call("DELETE", `/me/tokens/${before.id}`);
      await loadMe();
      toast(t("session.renewed"));
    });
  return (
    <div class="notice stay-signed-in" role="status">
      <p>{t("session.ends", { day: day(sessionEnds.value) })}</p>
      <button type="button" class="button" onClick={() => void renew()}>
        {t("session.stay")}
      </button>
    </div>
  );
}
