// Shows a report or a page of charts, depending on the kind of the document.
import { showCharts } from "./chart_page.js";
import { showReport } from "./report.js";

const document_ = JSON.parse(document.getElementById("document").textContent);
(document_.kind === "charts" ? showCharts : showReport)(document_);
