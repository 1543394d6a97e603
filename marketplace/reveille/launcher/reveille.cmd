@echo off
rem Finds the native binary for Windows and runs it. See the file `reveille` beside this one for the order.
setlocal
set /p version=<"%~dp0version"
if defined REVEILLE_BIN if exist "%REVEILLE_BIN%" (call :run "%REVEILLE_BIN%" %* & exit /b)
if defined CLAUDE_PLUGIN_DATA if exist "%CLAUDE_PLUGIN_DATA%\bin\%version%\reveille.exe" (call :run "%CLAUDE_PLUGIN_DATA%\bin\%version%\reveille.exe" %* & exit /b)
if exist "%~dp0..\native\windows-x86_64\reveille.exe" (call :run "%~dp0..\native\windows-x86_64\reveille.exe" %* & exit /b)
echo reveille: there is no program for this platform yet: build it with cargo xtask install in its repository, or set REVEILLE_BIN to one 1>&2
if "%1"=="hook" exit /b 0
exit /b 1

:run
if "%~2"=="--where" (echo %~1& exit /b 0)
%*
exit /b %errorlevel%
