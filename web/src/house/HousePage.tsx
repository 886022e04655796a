import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/index.ts";
import { Desk } from "./Desk.tsx";
import { secret } from "./secret.ts";
import { SuggestionBox } from "./SuggestionBox.tsx";
import { Unlock } from "./Unlock.tsx";
import "../styles/house.css";

/** The page of whoever runs the server. What guests suggest is for everybody, the rest needs the operator's secret. */
export function HousePage() {
  const open = secret.value !== null;
  const before = useRef(open);
  useEffect(() => {
    // The form, or the button that locks, has gone with what had the focus: go on at the beginning.
    if (before.current !== open) document.querySelector<HTMLElement>("#main h1")?.focus();
    before.current = open;
  }, [open]);
  if (open) return <Desk />;
  return (
    <div class="page narrow">
      <h1 tabIndex={-1}>{t("house.title")}</h1>
      <Unlock />
      <SuggestionBox />
    </div>
  );
}
