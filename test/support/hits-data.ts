/** A small `hits` table for ClickBench: its 105 columns with their names and types, and values of the kind its queries look for. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDB } from './duckdb.js';
import { repositoryRoot } from './repository.js';

const FILES = 4;
const ROWS_PER_FILE = 15_000;

/** By type, in the table's order; `*` stands before a column whose values are given below. */
const COLUMNS = `
  BIGINT *WatchID, SMALLINT JavaEnable, VARCHAR *Title, SMALLINT GoodEvent, BIGINT *EventTime, DATE *EventDate, INTEGER *CounterID,
  INTEGER *ClientIP, INTEGER *RegionID, BIGINT *UserID, SMALLINT CounterClass, SMALLINT OS, SMALLINT UserAgent, VARCHAR *URL,
  VARCHAR *Referer, SMALLINT *IsRefresh, SMALLINT RefererCategoryID, INTEGER RefererRegionID, SMALLINT URLCategoryID,
  INTEGER URLRegionID, SMALLINT *ResolutionWidth, SMALLINT ResolutionHeight, SMALLINT ResolutionDepth, SMALLINT FlashMajor,
  SMALLINT FlashMinor, VARCHAR FlashMinor2, SMALLINT NetMajor, SMALLINT NetMinor, SMALLINT UserAgentMajor, VARCHAR UserAgentMinor,
  SMALLINT CookieEnable, SMALLINT JavascriptEnable, SMALLINT IsMobile, SMALLINT *MobilePhone, VARCHAR *MobilePhoneModel, VARCHAR Params,
  INTEGER IPNetworkID, SMALLINT *TraficSourceID, SMALLINT *SearchEngineID, VARCHAR *SearchPhrase, SMALLINT *AdvEngineID,
  SMALLINT IsArtifical, SMALLINT *WindowClientWidth, SMALLINT *WindowClientHeight, SMALLINT ClientTimeZone, BIGINT ClientEventTime,
  SMALLINT SilverlightVersion1, SMALLINT SilverlightVersion2, INTEGER SilverlightVersion3, SMALLINT SilverlightVersion4,
  VARCHAR PageCharset, INTEGER CodeVersion, SMALLINT *IsLink, SMALLINT *IsDownload, SMALLINT IsNotBounce, BIGINT FUniqID,
  VARCHAR OriginalURL, INTEGER HID, SMALLINT IsOldCounter, SMALLINT IsEvent, SMALLINT IsParameter, SMALLINT *DontCountHits,
  SMALLINT WithHash, VARCHAR HitColor, BIGINT LocalEventTime, SMALLINT Age, SMALLINT Sex, SMALLINT Income, SMALLINT Interests,
  SMALLINT Robotness, INTEGER RemoteIP, INTEGER WindowName, INTEGER OpenerName, SMALLINT HistoryLength, VARCHAR BrowserLanguage,
  VARCHAR *BrowserCountry, VARCHAR SocialNetwork, VARCHAR SocialAction, SMALLINT HTTPError, INTEGER SendTiming, INTEGER DNSTiming,
  INTEGER ConnectTiming, INTEGER ResponseStartTiming, INTEGER ResponseEndTiming, INTEGER FetchTiming, SMALLINT SocialSourceNetworkID,
  VARCHAR SocialSourcePage, BIGINT ParamPrice, VARCHAR ParamOrderID, VARCHAR ParamCurrency, SMALLINT ParamCurrencyID,
  VARCHAR OpenstatServiceName, VARCHAR OpenstatCampaignID, VARCHAR OpenstatAdID, VARCHAR OpenstatSourceID, VARCHAR UTMSource,
  VARCHAR UTMMedium, VARCHAR UTMCampaign, VARCHAR UTMContent, VARCHAR UTMTerm, VARCHAR FromTag, SMALLINT HasGCLID, BIGINT *RefererHash,
  BIGINT *URLHash, INTEGER CLID`;

/** Over the row number `i`; `h` and `g` are hashes of it. Most hits have no phrase, no referer, no phone, as in the original. */
const VALUES: Readonly<Record<string, string>> = {
  WatchID: 'h * 4294967296 + i',
  Title: `CASE WHEN h % 17 = 0 THEN 'Google maps ' || h % 50 WHEN h % 5 = 0 THEN '' ELSE 'page ' || h % 900 END`,
  EventTime: '1372636800 + i * 43 + g % 40',
  EventDate: `DATE '2013-07-01' + CAST((i * 43) // 86400 AS INTEGER)`,
  CounterID: 'CASE WHEN h % 4 = 0 THEN 62 ELSE h % 5000 END',
  ClientIP: 'g % 100000',
  RegionID: 'h % 400',
  UserID: 'CASE WHEN i % 9000 = 1 THEN 435090932899640449 ELSE g % 3000 * 1000003 END',
  URL: `CASE WHEN h % 23 = 0 THEN 'http://www.google.com/search?q=' || g % 77 WHEN h % 9 = 0 THEN '' ELSE 'http://example.com/' || g % 600 END`,
  Referer: `CASE WHEN h % 3 = 0 THEN '' ELSE 'https://www.site' || g % 200 || '.org/path/' || h % 40 END`,
  IsRefresh: 'CAST(h % 7 = 0 AS INTEGER)',
  ResolutionWidth: '1000 + h % 900',
  MobilePhone: 'CASE WHEN h % 10 = 0 THEN 1 + g % 8 ELSE 0 END',
  MobilePhoneModel: `CASE WHEN h % 10 = 0 THEN 'phone ' || g % 30 ELSE '' END`,
  TraficSourceID: 'CAST(h % 9 AS INTEGER) - 1',
  SearchEngineID: 'CASE WHEN h % 6 = 0 THEN g % 5 ELSE 0 END',
  SearchPhrase: `CASE WHEN h % 6 = 0 THEN 'phrase ' || g % 700 ELSE '' END`,
  AdvEngineID: 'CASE WHEN h % 30 = 0 THEN 1 + g % 4 ELSE 0 END',
  WindowClientWidth: '800 + g % 700',
  WindowClientHeight: '500 + h % 500',
  IsLink: 'CAST(g % 8 = 0 AS INTEGER)',
  IsDownload: 'CAST(g % 50 = 0 AS INTEGER)',
  DontCountHits: 'CAST(g % 11 = 0 AS INTEGER)',
  BrowserCountry: `CASE WHEN g % 2 = 0 THEN 'RU' ELSE 'TR' END`,
  RefererHash: 'CASE WHEN h % 40 = 0 THEN 3594120000172545465 ELSE g * 7919 END',
  URLHash: 'CASE WHEN g % 40 = 0 THEN 2868770270353813622 ELSE h * 7907 END',
};

/** `npm run plans:compare -- clickbench` reads it here. */
export const hitsFolder: string = join(process.env.DISTQ_DATA ?? join(repositoryRoot, 'data'), 'clickbench-small');

/** Writes `<folder>/hits/<n>.parquet` unless it is there; the same bytes each time. */
export async function makeHits(folder: string = hitsFolder): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, 'hits'), { recursive: true });
  const columns = COLUMNS.split(',').map((column, position) => {
    const [type = '', name = ''] = column.trim().split(/\s+/);
    const bare = name.replace('*', '');
    const value = VALUES[bare] ?? (type === 'VARCHAR' ? `''` : `(h // ${position + 3}) % ${position + 2}`);
    return `CAST(${value} AS ${type}) AS "${bare}"`;
  });
  const duckdb = await DuckDB.over();
  try {
    for (let file = 1; file <= FILES; file++) {
      const from = (file - 1) * ROWS_PER_FILE;
      const rows = `SELECT i, i * 2654435761 % 1000003 AS h, i * 40503 % 999983 AS g FROM range(${from}, ${from + ROWS_PER_FILE}) AS r(i)`;
      const path = join(unfinished, 'hits', `${file}.parquet`).replaceAll("'", "''");
      await duckdb.run(
        `COPY (SELECT ${columns.join(', ')} FROM (${rows})) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 5000)`,
      );
    }
  } finally {
    duckdb.close();
  }
  renameSync(unfinished, folder);
}
