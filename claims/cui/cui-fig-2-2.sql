-- One managed array for host and device, no copies, against explicit copies.
SELECT 'cui-c-018' AS id, printf('%d elements of %d differ', sum(errors), max(bytes) / 4) AS measured, 'none' AS bound,
       sum(errors) = 0 AS ok, '' AS reason
FROM unified_memory_access WHERE pattern = 'functions' AND variant = 'first-touch' HAVING count(*) > 0;
