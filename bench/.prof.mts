import {fork} from "node:child_process";import {once} from "node:events";
import {sendLoad} from "/work/main/bench/support/http-load.ts";
import {ticketBody,ticketPatch} from "/work/main/bench/support/ticket-body.ts";
import {buildService} from "/work/main/bench/support/bench-service.ts";
import {rmSync} from "node:fs";
const [op="get",n="20000",conns="10",mode="prof"]=process.argv.slice(2);
const s=await buildService("prof",{resources:1});
const db=s.folder+"/p.sqlite";for(const x of ["","-wal","-shm"])rmSync(db+x,{force:true});
rmSync("/tmp/b/sprof",{recursive:true,force:true});
const child=fork("/work/main/bench/servers/generated.ts",[s.folder,db],{execArgv:["--import","/work/main/node_modules/tsx/dist/esm/index.mjs",...(mode==="prof"?["--cpu-prof","--cpu-prof-dir=/tmp/b/sprof"]:[])]});
const [port]=await once(child,"message") as number[];
const c="/api/v1/"+s.resources[0];
const load=(request:any,count:number,connections=10)=>sendLoad({port,connections,count,request});
await load((i:number)=>({method:"POST",path:c,body:ticketBody(i)}),1000,64);
const page=JSON.parse(await load(()=>({method:"GET",path:c+"?pageSize=100",body:null}),1,1));
const ids=page.results.map((r:any)=>Object.values(r)[0]);
const reqs:any={get:(i:number)=>({method:"GET",path:c+"/"+ids[i%100],body:null}),list:()=>({method:"GET",path:c,body:null}),
post:(i:number)=>({method:"POST",path:c,body:ticketBody(i)}),patch:(i:number)=>({method:"PATCH",path:c+"/"+ids[i%100],body:ticketPatch(i)})};
const cpu=async()=>{child.send("cpu");return Number((await once(child,"message"))[0])};
await load(reqs[op],Number(n)/4,Number(conns));
for(let r=0;r<3;r++){const a=await cpu();await load(reqs[op],Number(n),Number(conns));console.log(op,((await cpu()-a)/Number(n)).toFixed(1),"us");}
child.disconnect();await once(child,"exit");
