import { t } from "../i18n/index.ts";
import { Desk } from "./Desk.tsx";
import { secret } from "./secret.ts";
import { SuggestionBox } from "./SuggestionBox.tsx";
import { Unlock } from "./Unlock.tsx";
import "../styles/house.css";

/** The page of whoever runs the server. What guests suggest is for everybody, the rest needs the operator's secret. */
export function HousePage() {
  if (secret.value !== null) return <Desk />;
  return (
    <div class="page narrow">
      <h1>{t("house.title")}</h1>
      <Unlock />
      <SuggestionBox />
    </div>
  );
}
