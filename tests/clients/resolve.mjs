// What swagger-parser makes of the document: it must be valid, and every reference must lead somewhere.

import SwaggerParser from "@apidevtools/swagger-parser";

await SwaggerParser.validate(process.argv[2]);
await SwaggerParser.dereference(process.argv[2]);
