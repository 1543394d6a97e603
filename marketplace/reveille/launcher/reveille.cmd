@echo off
rem Finds the native binary for Windows and runs it. See the file `reveille` beside this one for the order.
setlocal
set /p version=<"%~dp0version"
if defined REVEILLE_BIN if exist "%REVEILLE_BIN%" ("%REVEILLE_BIN%" %* & exit /b %errorlevel%)
if defined CLAUDE_PLUGIN_DATA if exist "%CLAUDE_PLUGIN_DATA%\bin\%version%\reveille.exe" ("%CLAUDE_PLUGIN_DATA%\bin\%version%\reveille.exe" %* & exit /b %errorlevel%)
if exist "%~dp0..\native\windows-x86_64\reveille.exe" ("%~dp0..\native\windows-x86_64\reveille.exe" %* & exit /b %errorlevel%)
echo reveille: there is no program for this platform yet: build it with cargo xtask install in its repository, or set REVEILLE_BIN to one 1>&2
if "%1"=="hook" exit /b 0
exit /b 1
