import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { javaHome } from './java.ts';
import { mavenArtifacts } from './maven.ts';
import { startProcess } from './process.ts';
import { pythonEnvironment } from './python.ts';
import type { RunFolder, Started } from './service.ts';
import { answersOn } from './socket.ts';

/** A Spark session of this run; `engines/spark.ts` talks to it. */
export interface SparkServer {
  readonly socket: string;
}

const LOGGING = `rootLogger.level = warn
rootLogger.appenderRef.e.ref = e
appender.e.type = Console
appender.e.name = e
appender.e.target = SYSTEM_ERR
appender.e.layout.type = PatternLayout
appender.e.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex{short}
`;

/** Spark 4.1.4 with Iceberg 1.12.0, one session on two cores. */
export async function startSpark({ data, logs }: RunFolder): Promise<Started<SparkServer>> {
  const java = javaHome(17);
  const [environment, jars] = await Promise.all([
    pythonEnvironment('spark'),
    mavenArtifacts({
      name: 'spark-jars',
      artifacts: [
        { id: 'org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0' },
        { id: 'org.apache.iceberg:iceberg-aws-bundle:1.12.0' },
        { id: 'org.postgresql:postgresql:42.7.6' },
        { id: 'org.xerial:sqlite-jdbc:3.50.3.0' },
      ],
    }),
  ]);
  const scratch = join(data, 'spark');
  await mkdir(scratch);
  const logging = join(scratch, 'log4j2.properties');
  await writeFile(logging, LOGGING);
  const classPath = (await readdir(jars))
    .filter((name) => name.endsWith('.jar'))
    .map((name) => join(jars, name));
  const options = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', `-Djava.io.tmpdir=${scratch}`];
  const conf = {
    'spark.driver.memory': '1500m',
    'spark.driver.host': '127.0.0.1',
    'spark.driver.extraClassPath': classPath.join(':'),
    'spark.driver.extraJavaOptions': [`-Dlog4j2.configurationFile=file:${logging}`, ...options].join(' '),
    'spark.ui.enabled': 'false',
    'spark.local.dir': scratch,
    'spark.sql.warehouse.dir': join(scratch, 'warehouse'),
    'spark.sql.catalogImplementation': 'in-memory',
    'spark.sql.session.timeZone': 'UTC',
    'spark.sql.shuffle.partitions': '1',
    // Tables of eight rows: to compile a query costs far more than to interpret it.
    'spark.sql.codegen.wholeStage': 'false',
    'spark.sql.codegen.factoryMode': 'NO_CODEGEN',
    'spark.sql.adaptive.enabled': 'false',
    'spark.sql.variable.substitute': 'false',
    'spark.sql.extensions': 'org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions',
  };
  const python = join(environment, 'bin', 'python');
  const socket = join(scratch, 'driver.sock');
  const running = await startProcess({
    name: 'spark',
    command: python,
    args: [fileURLToPath(new URL('python/spark_driver.py', import.meta.url)), socket, JSON.stringify(conf)],
    env: {
      JAVA_HOME: java,
      SPARK_HOME: await sparkHome(environment),
      SPARK_LOCAL_IP: '127.0.0.1',
      PYSPARK_PYTHON: python,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    cwd: scratch,
    logs,
    ready: () => answersOn(socket),
  });
  return { ...running, details: { socket } };
}

async function sparkHome(environment: string): Promise<string> {
  const lib = join(environment, 'lib');
  const [version] = (await readdir(lib)).filter((name) => name.startsWith('python3'));
  return join(lib, version ?? '', 'site-packages', 'pyspark');
}
