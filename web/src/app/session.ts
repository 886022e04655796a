import { signal } from "@preact/signals";
import { Refusal, call, get, post } from "../api/http.ts";
import type { Identity, Session } from "../api/types.ts";
import { loadWords, refusal, t } from "../i18n/index.ts";
import { toast } from "./live.ts";
import { lastName } from "./prefs.ts";

/** Who is at this browser: undefined until known, null for a stranger. The token itself stays in the cookie. */
export const me = signal<Identity | null | undefined>(undefined);

/** When this device is signed out in any case; 0 where nobody is here, or a bot. */
export const sessionEnds = signal(0);

/** Whether that is so near that the page offers to stay. */
export const renewable = signal(false);

/** Set while a name is being asked for; answered by the name dialog. */
export const asking = signal<((name: string | null) => void) | null>(null);

/** How long to wait before the server is asked again who is here. */
const ASK_AGAIN = 1500;

/** Asks who is here. While that cannot be answered nobody is a stranger: a new name would cost them their seats. */
export async function loadMe(): Promise<Identity | null> {
  const before = me.value;
  const session = await get<Session>("/session");
  const now = (me.value = session.me ?? null);
  if (before && !now) toast(t(sessionEnds.value && sessionEnds.value <= Date.now() ? "session.ended" : "devices.signedOut"), "error");
  sessionEnds.value = session.ends ?? 0;
  renewable.value = session.renewable ?? false;
  return now;
}

/** Asks who is here until it is known. */
export function meetMe(): void {
  loadMe().catch(() => setTimeout(meetMe, ASK_AGAIN));
}

/** The name to offer: the one used before on this device, else one that nobody has to think of. */
export function nameAtHand(): string {
  return lastName.value || t("name.guest", { n: 1 + Math.floor(Math.random() * 9999) });
}

/** The person under a new name; or who they have become meanwhile in another tab. */
export async function introduce(name: string): Promise<Identity> {
  const known = await loadMe();
  if (known) return known;
  lastName.value = name;
  const { id, name: taken, avatar } = await post<Identity>("/identities", { name });
  return (me.value = { id, name: taken, avatar: avatar ?? null } as Identity);
}

/** The person here, after asking their name if they are new; null when they would rather not say. */
export async function someone(): Promise<Identity | null> {
  const known = me.value ?? (await loadMe());
  if (known) return known;
  const name = await new Promise<string | null>((resolve) => (asking.value = resolve));
  asking.value = null;
  return name ? introduce(name) : null;
}

export async function changeMe(change: { name?: string; avatar?: string | null }): Promise<void> {
  me.value = await call<Identity>("PATCH", "/me", change);
}

/** The words for a refusal: by its code in the language shown where they are at hand, or as the server says it in English. */
export function excuse(error: unknown): string {
  if (!(error instanceof Refusal)) return t("error.unknown");
  if (error.status === 0) return t("error.offline");
  if (error.code === "stale_turn") return t("error.stale");
  return refusal(error.code) ?? (error.message ? error.message.charAt(0).toUpperCase() + error.message.slice(1) : t("error.unknown"));
}

/** Runs something that may be refused, and tells the person if it is. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.status === 401 && me.value) await loadMe().catch(() => null);
    else {
      await loadWords("refusals").catch(() => undefined);
      toast(excuse(error), "error");
    }
    return undefined;
  }
}
