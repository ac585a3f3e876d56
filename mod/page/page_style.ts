/**
 * How the page looks: one sheet for light and dark, for a desk and for a phone. Contrasts of text are 4.5:1 or more.
 *
 * The policy of the page names the sheet by its hash, so that nothing else is applied.
 */

/** The sheet, in ASCII. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:#f4f5f7;--card:#fff;--ink:#14171c;--soft:#555e6b;--line:#dfe2e7;--fill:#eceff3;--course:#1f5fbf;
--good:#17734a;--spider:#8a5a00;--max:#b93c06;--crit:#b0103d;--quiet:#555e6b;--late:#b0103d;--late-ink:#fff}
@media(prefers-color-scheme:dark){:root{
--bg:#0e1115;--card:#161a20;--ink:#e7eaef;--soft:#a2acb9;--line:#2a3039;--fill:#20262e;--course:#79aefc;
--good:#53c68c;--spider:#e6b450;--max:#ff9463;--crit:#ff7592;--quiet:#a2acb9;--late:#ff7592;--late-ink:#14171c}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
.wrap{max-width:1080px;margin:0 auto;padding:0 20px 40px}
#page{--tier:var(--quiet)}
.tier-normal{--tier:var(--good)!important}.tier-spider{--tier:var(--spider)!important}
.tier-max{--tier:var(--max)!important}.tier-crit{--tier:var(--crit)!important}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 14px;padding:18px 0 12px}
h1{margin:0;font-size:20px;font-weight:650;overflow-wrap:anywhere}
.brand{color:var(--soft);font-weight:500}
.push{margin-left:auto}
.soft{color:var(--soft)}
.small{font-size:13px}
h2{margin:0 0 10px;font-size:13px;font-weight:600;color:var(--soft);letter-spacing:.04em;text-transform:uppercase}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 18px;margin:0 0 12px;min-width:0}
p{margin:0}
p+p,p+ul,ul+p{margin-top:6px}
ul{margin:0;padding:0;list-style:none}
li+li{margin-top:3px}
b,strong{font-weight:650}
code{font:13px/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--fill);padding:1px 4px;border-radius:4px;overflow-wrap:anywhere}
.hero{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:14px 32px;border-left:6px solid var(--tier)}
.tier{font-size:46px;line-height:1.05;font-weight:750;letter-spacing:-.01em;color:var(--tier)}
.posture{margin-top:6px;font-size:16px}
.outlook{margin-top:12px;color:var(--soft);font-size:14px}
.outlook .key{display:inline-block;color:var(--ink);font-weight:600}
.loads{display:flex;flex-wrap:wrap;gap:8px 28px;text-align:right}
.loads dt{color:var(--soft);font-size:13px}
.loads dd{margin:0;font-size:30px;line-height:1.15;font-weight:650;white-space:nowrap}
.loads small{display:block;font-size:13px;font-weight:400;color:var(--soft)}
.loads i{font-size:17px;font-style:normal;font-weight:500;color:var(--soft)}
dl{margin:0}
.hold{border:2px solid var(--tier)}
.hold h2{color:var(--tier);font-size:19px;letter-spacing:0;text-transform:none;margin-bottom:8px}
.facts{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 16px}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
.calm{padding:11px 18px}
.calm li{display:inline}
.calm li+li:before{content:" \\00b7  ";color:var(--soft)}
.late,.lost{background:var(--late);color:var(--late-ink);border-color:var(--late);font-weight:600}
.late code{background:none;padding:0;color:inherit;text-decoration:underline}
.late h2{color:inherit;font-size:19px;text-transform:none;letter-spacing:0;margin:0 0 4px}
#live{position:sticky;top:0;z-index:1;margin:0 -20px;padding:0 20px;font-size:15px}
#live.lost{padding:10px 20px}
.chart{display:block;overflow:visible}
.chart text{font-size:11px;fill:var(--soft);paint-order:stroke;stroke:var(--card);stroke-width:3px;stroke-linejoin:round}
.grid{stroke:var(--line);stroke-width:1}
.threshold{stroke-width:1.25;stroke-dasharray:2 3}
.threshold.spider{stroke:var(--spider)}.threshold.max{stroke:var(--max)}.threshold.crit{stroke:var(--crit)}.threshold.resume{stroke:var(--good)}
.chart .threshold-name{font-weight:650}
.chart .threshold-name.spider{fill:var(--spider)}.chart .threshold-name.max{fill:var(--max)}.chart .threshold-name.crit{fill:var(--crit)}.chart .threshold-name.resume{fill:var(--good)}
.load1,.load5{fill:none;vector-effect:non-scaling-stroke;stroke-linecap:round;stroke-linejoin:round}
.load1{stroke:var(--course);stroke-width:2}
.load5{stroke:var(--soft);stroke-width:1.75;stroke-dasharray:5 4}
.held{fill:var(--ink);opacity:.05}
.hatch{fill:var(--ink);opacity:.09}
.chart .held-word{fill:var(--ink);font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:2px 20px;margin-top:8px;font-size:13px;color:var(--soft)}
.legend svg{vertical-align:middle;margin-right:6px}
.scroll{overflow-x:auto;margin:0 -18px;padding:0 18px}
.scroll:focus-visible,summary:focus-visible{outline:2px solid var(--course);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:14px}
caption{text-align:left;padding:0 0 4px;color:var(--soft);font-size:13px}
th{text-align:left;font-weight:600;color:var(--soft);font-size:13px;white-space:nowrap}
th,td{padding:6px 16px 6px 0;vertical-align:top;border-top:1px solid var(--line)}
thead th{border-top:0}
th:last-child,td:last-child{padding-right:0}
td.evidence{min-width:210px;overflow-wrap:anywhere}
td.name{white-space:nowrap;font-weight:600}
.number{text-align:right;white-space:nowrap}
.nowrap{white-space:nowrap}
.word{font-weight:650;white-space:nowrap}
.is-good{color:var(--good)}.is-warn{color:var(--spider)}.is-bad{color:var(--crit)}.is-quiet{color:var(--soft)}
.headline{font-size:17px;margin-bottom:8px}
.headline+p{margin-top:-4px;margin-bottom:8px}
details{border-top:1px solid var(--line)}
summary{cursor:pointer;padding:7px 0;overflow-wrap:anywhere}
.events>details:first-child{border-top:0}
.events summary{display:grid;grid-template-columns:12px max-content 70px minmax(0,1fr);gap:0 10px;list-style:none}
.events summary::-webkit-details-marker{display:none}
.events summary:before{content:"\\25b8";color:var(--soft)}
.events details[open] summary:before{content:"\\25be"}
.events summary .what{overflow-wrap:anywhere}
.events .facts{padding:0 0 10px 20px;font-size:14px}
.parts{display:grid;grid-template-columns:max-content minmax(60px,1fr) max-content;gap:6px 14px;align-items:center;margin:10px 0 14px;font-size:14px}
.parts dt,.parts dd{margin:0}
.parts .of{text-align:right}
.parts .total{font-weight:650}
.bar{display:block}
.bar .track{fill:var(--fill)}.bar .value{fill:var(--course)}.bar .maybe{fill:var(--course);opacity:.35}.bar .at{stroke:var(--ink);stroke-width:2}
.log li{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:0 12px}
.log .soft{white-space:nowrap}
.log li span:last-child{overflow-wrap:anywhere}
.scroll+.scroll,.scroll+.facts,.scroll+p,p+.scroll{margin-top:14px}
.two{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 12px}
footer{color:var(--soft);font-size:13px;padding-top:4px}
a{color:inherit}
@media(max-width:720px){
.wrap{padding:0 10px 28px}
#live{margin:0 -10px}
header{padding:14px 4px 10px}
.push{margin-left:0;width:100%}
section{padding:13px 14px}
.scroll{margin:0 -14px;padding:0 14px}
.hero{grid-template-columns:minmax(0,1fr)}
.loads{text-align:left}
.tier{font-size:40px}
.two{grid-template-columns:minmax(0,1fr)}
.events summary{grid-template-columns:12px max-content minmax(0,1fr)}
.events summary .what{grid-column:2/-1}
.log li{grid-template-columns:minmax(0,1fr)}
.log li+li{margin-top:8px}}
`.trim();
