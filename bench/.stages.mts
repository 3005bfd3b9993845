import v8 from "node:v8";
if (process.env.IB) v8.setFlagsFromString("--interrupt-budget="+process.env.IB);
let last=process.cpuUsage();const t:[string,number,number][]=[];
const lap=(n:string)=>{const now=process.cpuUsage();t.push([n,(now.user-last.user)/1000,(now.system-last.system)/1000]);last=process.cpuUsage()};
lap("start");
import {nodeFiles} from "/work/main/src/files/node-files.ts";
import {load} from "/work/main/src/load/load.ts";
import {validate} from "/work/main/src/validate/validate.ts";
import {normalise} from "/work/main/src/model/normalise.ts";
import {render} from "/work/main/src/render/render.ts";
import {readDisk} from "/work/main/src/apply/read-disk.ts";
import {plan} from "/work/main/src/apply/plan.ts";
import {apply} from "/work/main/src/apply/apply.ts";
import {EMPTY_MANIFEST} from "/work/main/src/apply/manifest.ts";
import {jsonText} from "/work/main/src/artifacts/json-text.ts";
import {RESOURCE_ARTIFACTS,VERSION_ARTIFACTS,SERVICE_ARTIFACTS} from "/work/main/src/artifacts/artifacts.ts";
lap("imports");
const root=process.argv[2];
const tree=load(nodeFiles,root);if(!tree.ok)throw 1;lap("load");
const v=await validate(tree.value);if(!v.ok)throw 2;lap("validate");
const model=normalise(v.value);lap("normalise");
if(process.env.DETAIL){
 for(const a of RESOURCE_ARTIFACTS){for(const ve of model.versions)for(const r of ve.resources)try{a.view(r)}catch{};lap("view "+a.template)}
 for(const a of SERVICE_ARTIFACTS){a.view(model);lap("view "+a.template)}
 for(const a of VERSION_ARTIFACTS){for(const version of model.versions){const x=a.value({service:model,version});lap("openapi value");jsonText(x);lap("openapi text")}}
}
const outputs=await render(model);lap("render");
const disk=readDisk(nodeFiles,root,EMPTY_MANIFEST);
const p=plan(outputs,disk,{version:"0.1.0",force:false});if(!p.ok)throw 3;lap("plan");
apply(nodeFiles,root,p.value);lap("apply");
for(const [n,u,s] of t)console.log(n.padEnd(34),u.toFixed(0).padStart(6),s.toFixed(0).padStart(5));
