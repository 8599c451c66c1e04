-- The second form of the directive, with direction and number of copy blocks: what the parser takes.
WITH texts AS (SELECT DISTINCT variant, directive, accepted, expected FROM pipeline_directive WHERE form = 2 AND variant <> 'listing'),
allowed(pattern) AS (
    VALUES ('*pipeline([a-z])*'), ('*pipeline([a-z],to)*'), ('*pipeline([a-z],to,4)*'), ('*pipeline([a-z],from,4)*'), ('*pipeline([a-z],tofrom,4)*')),
taken AS (
    SELECT count(*) AS parts, sum(EXISTS (SELECT 1 FROM texts WHERE variant = 'accept' AND accepted = 1 AND directive GLOB pattern)) AS good
    FROM allowed)
SELECT 'cui-c-312' AS id, printf('%d of %d parts accepted; %d of %d directives as expected', good, parts, sum(accepted = expected), count(*)) AS measured,
       'pipeline(i), (i,to), (i,to,4), (i,from,4), (i,tofrom,4)' AS bound, good = parts AND sum(accepted <> expected) = 0 AS ok, '' AS reason
FROM texts, taken HAVING count(*) > 0;
