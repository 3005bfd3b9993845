import { DatabaseSync } from "@photostructure/sqlite";
const d=new DatabaseSync("/work/main/test/.services/bench/prof/p.sqlite");
const id=d.prepare('select "ticketBbbId" as i from ticketbbbs limit 1 offset 50').get().i;
const cols=d.prepare("select name from pragma_table_info('ticketbbbs')").all().map(r=>'"'+r.name+'"');
const S=(sql)=>d.prepare(sql);
const t=(n,f)=>{for(let i=0;i<20000;i++)f();const a=process.cpuUsage();for(let i=0;i<100000;i++)f();const b=process.cpuUsage(a);console.log(n.padEnd(30),((b.user+b.system)/100000).toFixed(2),"us")};
const full=S(`select ${cols} from ticketbbbs where "ticketBbbId"=?`);
t("get "+cols.length,()=>full.get(id));
const one=S(`select title from ticketbbbs where "ticketBbbId"=?`);t("get 1",()=>one.get(id));
const five=S(`select ${cols.slice(0,5)} from ticketbbbs where "ticketBbbId"=?`);t("get 5",()=>five.get(id));
const ja=S(`select json_array(${cols}) as j from ticketbbbs where "ticketBbbId"=?`);t("json_array",()=>JSON.parse(ja.get(id).j));
if(full.setReturnArrays){const arr=S(`select ${cols} from ticketbbbs where "ticketBbbId"=?`);arr.setReturnArrays(true);t("arrays",()=>arr.get(id));}
const list=S(`select ${cols} from ticketbbbs order by "ticketBbbId" limit 20 offset 0`);t("all 20",()=>list.all());
if(list.setReturnArrays){const arr=S(`select ${cols} from ticketbbbs order by "ticketBbbId" limit 20 offset 0`);arr.setReturnArrays(true);t("all 20 arrays",()=>arr.all());}
const c=S("select count(*) as count from ticketbbbs");t("count "+c.get().count,()=>c.get());
console.log(Object.getOwnPropertyNames(Object.getPrototypeOf(full)).join(" "));
