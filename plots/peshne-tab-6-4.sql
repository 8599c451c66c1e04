-- Specification of the interconnect: the thesis's HiperGator 2 and this machine
SELECT coalesce(p.name, m.name) AS name, p.specification AS thesis, m.specification AS "this machine"
FROM peshne_tab_6_4 p FULL JOIN (SELECT name, specification FROM common_machine WHERE sheet = 'interconnect') m ON p.name = m.name
ORDER BY p.rowid IS NULL, p.rowid;
